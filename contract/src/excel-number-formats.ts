/** Detects number formats that show a number as a date, a timestamp or a time of day. */

/** `elapsed`, as in `[h]:mm`, is a duration, which is stored as a number. */
export type DateFormat = 'none' | 'day' | 'moment' | 'time' | 'elapsed'

/** From one number to another; 27 to 36 and 50 to 58 are eastern Asian ones. */
const builtIn: readonly (readonly [number, number, DateFormat])[] = [
  [14, 17, 'day'],
  [18, 21, 'time'],
  [22, 22, 'moment'],
  [27, 31, 'day'],
  [32, 33, 'time'],
  [34, 36, 'day'],
  [45, 45, 'time'],
  [46, 46, 'elapsed'],
  [47, 47, 'time'],
  [50, 58, 'day'],
]

/** The built-in formats, which a workbook does not define. */
export function builtInFormat(id: number): DateFormat {
  return builtIn.find(([from, to]) => id >= from && id <= to)?.[2] ?? 'none'
}

export function customFormat(code: string): DateFormat {
  const [positive = ''] = withoutTexts(code).split(';')
  if (/\[(?:h+|m+|s+)\]/iu.test(positive)) return 'elapsed'
  const letters = positive
    .replaceAll(/\[[^\]]*\]|general|e[+-]/giu, '')
    .replaceAll(/am\/pm|a\/p/giu, 'h')
    .toLowerCase()
  const hasTime = /[hs]/u.test(letters)
  const hasDay = /[yde]/u.test(letters) || (letters.includes('m') && !hasTime)
  if (hasDay) return hasTime ? 'moment' : 'day'
  return hasTime ? 'time' : 'none'
}

/**
 * Without what is shown as it stands: `"kr"`, `\k`, the blank as wide as a letter and the letter that fills the cell.
 */
function withoutTexts(code: string): string {
  return code.replaceAll(/"[^"]*"|[\\_*]./gu, '')
}
