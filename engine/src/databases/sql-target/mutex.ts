/** Runs work one piece after another: a connection in a transaction cannot do two things at once. */
export type Mutex = <T>(work: () => Promise<T>) => Promise<T>

/** Each piece of work begins once the previous one has settled, whether it succeeded or failed. */
export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work, work)
    last = turn.catch(() => {})
    return turn
  }
}
