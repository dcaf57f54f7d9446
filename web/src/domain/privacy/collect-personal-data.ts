/** Collects all pages of the personal data that is stored about a user. */
import type { PersonalDataExport } from '@tributary/contract/privacy'

/** @param read reads the first page, or the page after the cursor of the previous one. */
export async function collectPersonalData(
  read: (query: { after?: string }) => Promise<PersonalDataExport>,
): Promise<Omit<PersonalDataExport, 'Next'>> {
  const { Next, ...whole } = await read({})
  let next = Next
  while (next !== null) {
    const page = await read({ after: next })
    for (const [table, rows] of Object.entries(page.Tables))
      whole.Tables[table] = [...(whole.Tables[table] ?? []), ...rows]
    next = page.Next
  }
  return whole
}
