/**
 * Tables of the documents that are generated, from code or from docs/figures: between `<!-- table: NAME -->` and `<!--
 * end -->`.
 */
import { figuresTables } from './figures-tables.ts'
import { requirementTables } from './requirement-tables.ts'
import { securityTables } from './security-tables.ts'

export const generatedTables: Readonly<Record<string, () => string>> = {
  ...figuresTables,
  ...requirementTables,
  ...securityTables,
}

const marked = /(?<=<!-- table: (?<name>\S+) -->\n)[\s\S]*?(?=<!-- end -->)/gu

/** The page with each of its tables generated again. Throws if a marker names no table. */
export function withGeneratedTables(page: string): string {
  return page.replaceAll(marked, (_, name: string) => {
    const generate = generatedTables[name]
    if (generate === undefined) throw new Error(`No generated table has the name ${name}.`)
    return `\n${generate()}\n`
  })
}

export function namesOfTables(page: string): string[] {
  return [...page.matchAll(/<!-- table: (\S+) -->/gu)].map(([, name = '']) => name)
}
