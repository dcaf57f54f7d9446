/** Ends with 0 while the process of this container lives. Docker asks by it; an image without a shell has no curl. */
const port = process.env.PORT ?? '3000'
const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(4_000) }).catch(() => null)
process.exitCode = answer?.ok === true ? 0 : 1
