/** XML documents for people. */

/** Indents well-formed XML. Other texts are returned unchanged. */
export function prettyXml(text: string): string {
  if (!text.trimStart().startsWith('<')) return text;
  const parsed = new DOMParser().parseFromString(text, 'application/xml');
  if (parsed.querySelector('parsererror')) return text;
  const declaration = /^\s*(<\?xml[^>]*\?>)/.exec(text)?.[1];
  const lines = declaration ? [declaration] : [];
  for (const node of parsed.childNodes) write(node, 0, lines);
  return lines.join('\n');
}

function write(node: Node, depth: number, lines: string[]): void {
  const indent = '  '.repeat(depth);
  const serialized = new XMLSerializer().serializeToString(node).replaceAll(/ xmlns(:\w+)?="[^"]*"/g, depth === 0 ? '$&' : '');
  if (!(node instanceof Element)) {
    if (serialized.trim()) lines.push(indent + serialized.trim());
    return;
  }
  const hasElements = node.children.length > 0;
  if (!hasElements) {
    lines.push(indent + serialized.trim());
    return;
  }
  const end = `</${node.nodeName}>`;
  lines.push(indent + serialized.slice(0, serialized.indexOf('>') + 1));
  for (const child of node.childNodes) write(child, depth + 1, lines);
  lines.push(indent + end);
}
