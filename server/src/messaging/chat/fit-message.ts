/** Keeps messages within the sizes that chat services accept. */

/** @param max in UTF-16 units, as JavaScript counts them */
export function truncateText(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`
}

/**
 * Leaves out paragraphs at the end until the message fits, and says how many. At least the first one stays.
 *
 * @param fits whether a message of these paragraphs is accepted
 */
export function fitParagraphs(
  paragraphs: readonly string[],
  fits: (paragraphs: readonly string[]) => boolean,
): readonly string[] {
  for (let kept = paragraphs.length; kept > 1; kept -= 1) {
    const left = paragraphs.length - kept
    const fitted = left === 0 ? paragraphs : [...paragraphs.slice(0, kept), `${left} more, which Tributary shows.`]
    if (fits(fitted)) return fitted
  }
  return paragraphs.slice(0, 1)
}
