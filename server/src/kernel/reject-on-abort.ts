/** Rejects with the reason when the signal aborts: for racing work that cannot be cancelled. */
export function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(signal.reason as Error)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
