/** Reads the flat XML replies of object storage. They have no attributes, comments or nested elements of the same name. */

/** The texts between `<name>` and `</name>`, in order, with elements inside unchanged. */
export function elementsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, 'gu'))].map(
    ([, content = '']) => content,
  )
}

/** The decoded text of the first element of this name; undefined if it is missing or empty. */
export function textOf(xml: string, name: string): string | undefined {
  const [content] = elementsOf(xml, name)
  return content === undefined || content === '' ? undefined : decodeEntities(content)
}

export function encodeEntities(text: string): string {
  return text.replace(/[&<>"']/gu, (one) => `&#${one.charCodeAt(0)};`)
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|([a-z]+));/giu, (entity, hex?: string, decimal?: string, name = '') => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return Number.isNaN(code) ? (named[name as string] ?? entity) : String.fromCodePoint(code)
  })
}
