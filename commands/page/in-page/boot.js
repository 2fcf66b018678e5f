const packed = Uint8Array.from(atob(document.getElementById('model').textContent), (c) => c.charCodeAt(0));
const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
const text = await new Response(unpacked).text();
const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
const { start } = await import(url);
start();
