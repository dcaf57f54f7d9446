/** Recognises measures: number columns, such as amounts and quantities, whose sum has a meaning. Pure. */

/**
 * The last word of a heading decides, because it is the noun: `Account` and `Cost centre no.` are codes, `Account
 * balance` and
 * `Number of days` are measures.
 */
const codeWords = new Set(
  'account accounts barcode code codes ean gtin id ids iban identifier index key keys month no nr num number period phone postcode quarter ref reference sku swift week year zip'.split(
    ' ',
  ),
)

export function isMeasure(heading: string): boolean {
  const words = heading
    .normalize('NFC')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{M}]+/gu)
  return !codeWords.has(words?.at(-1) ?? '')
}
