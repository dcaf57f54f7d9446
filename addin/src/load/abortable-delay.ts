/** Waits that long, or lets go of the thread for a moment with 0; rejects with what the signal says when that is aborted. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  if (signal.aborted) reject(signal.reason as Error)
  const timer = setTimeout(() => {
    signal.removeEventListener('abort', stop)
    resolve()
  }, ms)
  function stop() {
    clearTimeout(timer)
    reject(signal.reason as Error)
  }
  signal.addEventListener('abort', stop, { once: true })
  return promise
}
