/** What is held about a person comes in pages; this is all of it. */
import type { Held } from '@tributary/contract/privacy'

/** @param read one page: the first, or the one after what a page said comes next. */
export async function collectHeld(read: (query: { after?: string }) => Promise<Held>): Promise<Omit<Held, 'Next'>> {
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
