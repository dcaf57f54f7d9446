/** Health check of the container for Docker: exits with 0 while the process responds. The image has neither a shell nor curl. */
const port = process.env.PORT ?? '3000'
const response = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(4_000) }).catch(
  () => null,
)
process.exitCode = response?.ok === true ? 0 : 1
