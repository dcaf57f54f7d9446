/** What `first-paint.js` asked for before the code that needs it was here. */

declare global {
  interface Window {
    /** `at`: when they were made, by the page's own clock. */
    earlyCalls?: {
      readonly token: string
      readonly at: number
      readonly answers: Record<string, Promise<Response | null>>
    }
  }
}

/** Afterwards an answer that nobody has taken is too old to be told as new. */
const lifeMs = 10_000

/**
 * The answer of an early call, to the first who asks with the same token. Null where there is none, and where it was no success: then
 * the call is made anew, and whatever is wrong is found out by it.
 *
 * @param address path and query, from `/api`.
 */
export async function takeEarly(address: string, token: string | null): Promise<Response | null> {
  const { earlyCalls } = window
  if (earlyCalls === undefined || earlyCalls.token !== token || performance.now() > earlyCalls.at + lifeMs) return null
  const answer = earlyCalls.answers[address]
  delete earlyCalls.answers[address]
  const response = (await answer) ?? null
  return response?.ok === true ? response : null
}
