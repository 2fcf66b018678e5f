import { join, relative } from 'node:path';
import ts from 'typescript';
import { readText } from '../conformance/files.ts';
import { configured, programWith } from './compiler.ts';
import { TOP } from './sources.ts';

/** A union, and a member that it does not have. */
export interface UnionGrowth {
  readonly union: string;
  readonly file: string;
  /** The text after which the member is put; it is unique in the file. */
  readonly behind: string;
  /** The member as text; it has a word that is nowhere else. */
  readonly member: string;
  readonly word: string;
}

/** What only a switch, a table or a match over a union is written with: no other file has to know a new member. */
const MAY_KNOW =
  /\bunreachable\(|\bSaidWords<|\bRecord<(?!string|number|never)|\bin keyof\b|\[\w+ in |\.exhaustive\(|\bsatisfies\b/;

/** The project as the compiler sees it, with these members added to its unions; no file is written. */
export class Grown {
  private readonly program: ts.Program;

  /** Only files whose path from the top begins so, and their imports, are checked. */
  constructor(
    growths: readonly UnionGrowth[],
    private readonly room: string,
  ) {
    const { options, fileNames } = configured();
    const grown = new Map<string, string>();
    for (const growth of growths)
      grown.set(growth.file, withMember(grown.get(growth.file) ?? readText(join(TOP, growth.file)), growth));
    this.program = programWith(
      grown,
      fileNames.filter((path) => this.isLookedAt(path)),
      options,
    );
  }

  /** What the compiler says of files, by their paths from the top, or of all that may have to know; and of which file. */
  complaints(paths?: ReadonlySet<string>): readonly { readonly file: string; readonly text: string }[] {
    return this.sources()
      .filter(({ fileName, text }) => paths?.has(relative(TOP, fileName)) ?? MAY_KNOW.test(text))
      .flatMap((file) => this.program.getSemanticDiagnostics(file))
      .map(({ file, messageText }) => ({
        file: relative(TOP, file?.fileName ?? ''),
        text: ts.flattenDiagnosticMessageText(messageText, ' '),
      }));
  }

  /** Switches over a union of literals that end otherwise than in unreachable(), each with its place. */
  looseSwitches(): string[] {
    const checker = this.program.getTypeChecker();
    const found: string[] = [];
    for (const file of this.sources().filter(({ text }) => text.includes('switch ('))) {
      const visit = (node: ts.Node): void => {
        if (ts.isSwitchStatement(node) && !endsUnreachable(node)) {
          if (isLiteralUnion(checker.getTypeAtLocation(node.expression)))
            found.push(`${relative(TOP, file.fileName)}: switch (${node.expression.getText(file)})`);
        }
        ts.forEachChild(node, visit);
      };
      visit(file);
    }
    return found;
  }

  private sources(): readonly ts.SourceFile[] {
    return this.program.getSourceFiles().filter(({ fileName }) => this.isLookedAt(fileName));
  }

  private isLookedAt(path: string): boolean {
    return isSource(path) && relative(TOP, path).startsWith(this.room);
  }
}

function isSource(path: string): boolean {
  return path.startsWith(TOP) && !/\/node_modules\/|\/test\/|\.test\.ts$/.test(path);
}

function withMember(text: string, { file, behind, member }: UnionGrowth): string {
  const parts = text.split(behind);
  if (parts.length !== 2) throw new Error(`${file}: "${behind}" stands ${parts.length - 1} times in it`);
  const [before = '', after = ''] = parts;
  const isListed = member.startsWith(' |') && !after.replace(COMMENTS, '').startsWith('|');
  return before + behind + member + (isListed ? ' |' : '') + after;
}

/** The tokens that may precede the first member of a union. */
const COMMENTS = /^\s*((\/\*[\s\S]*?\*\/|\/\/.*)\s*)*/;

function endsUnreachable({ caseBlock }: ts.SwitchStatement): boolean {
  const last = caseBlock.clauses.at(-1);
  if (last === undefined || !ts.isDefaultClause(last)) return false;
  const [only] = last.statements;
  const said = only !== undefined && ts.isReturnStatement(only) ? only.expression : undefined;
  return said !== undefined && ts.isCallExpression(said) && said.expression.getText() === 'unreachable';
}

/** A union of strings, numbers or truth values; of one that may be undefined as well. */
function isLiteralUnion(type: ts.Type): boolean {
  const literal =
    ts.TypeFlags.StringLiteral |
    ts.TypeFlags.NumberLiteral |
    ts.TypeFlags.BooleanLiteral |
    ts.TypeFlags.Undefined;
  return type.isUnion() && type.types.every(({ flags }) => (flags & literal) !== 0);
}
