/**
 * What versions and helper tables are called in SQL and in Excel (section 9 of the specification). Pure, for both
 * sides.
 */

export const sqlNamePrefix = 'B2S'
export const excelNameSuffix = 'SQLLoader'
export const shownNameMax = 20

/** The name without spaces, from which the physical names are built. */
export function withoutSpaces(name: string): string {
  return name.replaceAll(/\s/g, '')
}

/** The letters and digits of the name, without the first one if it is a digit. */
export function inputTableName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, '').replace(/^\p{N}/u, '')
}

/** In full, as the table is called in the database. */
export const sqlTableName = {
  version: (name: string) => `${sqlNamePrefix}${withoutSpaces(name)}`,
  helperTable: (inputName: string) => `${sqlNamePrefix}${inputName}`,
} as const

/** In full, as the table is called in the sheet. */
export const excelTableName = {
  version: (name: string) => `${withoutSpaces(name)}${excelNameSuffix}`,
  helperTable: (inputName: string) => `${inputName}${excelNameSuffix}`,
} as const

/** Names are shown cut to twenty characters and three dots, only when longer. */
export function cut(name: string): string {
  const letters = [...name]
  return letters.length > shownNameMax ? `${letters.slice(0, shownNameMax).join('')}...` : name
}

/**
 * As the lists show them: the name is cut, then prefix and suffix are added. 'Budget 2026' gives B2SBudget2026 and
 * Budget2026SQLLoader.
 */
export const shownNames = {
  version: (name: string) => ({
    sql: `${sqlNamePrefix}${cut(withoutSpaces(name))}`,
    excel: `${cut(withoutSpaces(name))}${excelNameSuffix}`,
  }),
  helperTable: (inputName: string) => ({
    sql: `${sqlNamePrefix}${cut(inputName)}`,
    excel: `${cut(inputName)}${excelNameSuffix}`,
  }),
} as const
