/** Keys of organisations and connectors. They are part of URLs and schema names, so they never change. */

const lengthMax = 40

/** The name in lower-case letters, digits and hyphens; with a number if that key is taken. `noun` replaces a name without letters and digits. */
export function keyOf(
  name: string,
  noun: 'connector' | 'organisation',
  taken: ReadonlySet<string> = new Set(),
): string {
  const slug = slugOf(name) || noun
  for (let number = 1; ; number += 1) {
    const key = number === 1 ? slug : `${slug}-${number}`
    if (!taken.has(key)) return key
  }
}

function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, lengthMax)
    .replace(/^-+|-+$/g, '')
}
