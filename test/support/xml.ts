export interface XmlNode {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: XmlNode[];
  text: string;
}

/** Characters that XML 1.0 allows. */
const legal = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

/** A strict parser for small XML documents in tests; throws if the document is not well-formed. */
export function readXml(text: string): XmlNode {
  if (!legal.test(text)) throw new Error("contains a character that XML does not allow");
  const root: XmlNode = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  const piece = /<\?xml[^?]*\?>|<\/([\w-]+)>|<([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>|([^<]+)/gy;
  while (piece.lastIndex < text.length) {
    const at = piece.lastIndex;
    const found = piece.exec(text);
    const inside = open.at(-1);
    if (found === null || inside === undefined) throw new Error(`not XML at ${text.slice(at, at + 80)}`);
    const [, closed, opened, attributes = "", empty, content] = found;
    if (closed !== undefined) {
      if (inside.name !== closed) throw new Error(`</${closed}> closes <${inside.name}>`);
      open.pop();
    } else if (opened !== undefined) {
      const node = { name: opened, attributes: readAttributes(attributes), children: [], text: "" };
      inside.children.push(node);
      if (empty !== "/") open.push(node);
    } else if (content !== undefined) {
      if (content.includes("]]>")) throw new Error("]]> in content");
      inside.text += unescaped(content);
    }
  }
  const [only] = root.children;
  if (open.length !== 1 || only === undefined || root.children.length !== 1)
    throw new Error("not one element");
  return only;
}

/** The element and all elements below it. */
export function textsOf(node: XmlNode): XmlNode[] {
  return [node, ...node.children.flatMap(textsOf)];
}

function readAttributes(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/ ([\w-]+)="([^"]*)"/g)];
  return Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, unescaped(value)]));
}

function unescaped(text: string): string {
  return text.replace(/&(?:#(\d+)|(\w+));|&/g, (found, code?: string, name?: string) => {
    const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };
    const value = code === undefined ? named[name ?? ""] : String.fromCodePoint(Number(code));
    if (value === undefined) throw new Error(`unknown entity ${found}`);
    return value;
  });
}
