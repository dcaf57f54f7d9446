/** A document from which no description can be drafted. Its message is for people: what is wrong, and what to do. */
export class DraftRefused extends Error {
  override readonly name = 'DraftRefused'
}
