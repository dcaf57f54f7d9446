/** Work that must be done one after the other: a connection that is in a transaction can do no two things at once. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>

/** Each piece of work begins when the last has ended, well or badly. */
export function takingTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work, work)
    last = turn.catch(() => {})
    return turn
  }
}
