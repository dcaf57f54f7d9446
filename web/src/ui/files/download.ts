/** Hands a file to the browser as a download. */
export function saveFile(name: string, content: string | Blob): void {
  const address = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has its own reference by then; the delay is for browsers that take it late.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
