/** Waits; with 0 it only yields the thread. Rejects with the signal's reason when the signal aborts. */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
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
