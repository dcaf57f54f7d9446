/** Starts a download of the content in the browser. */
export function downloadFile(name: string, content: string | Blob): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Some browsers read the URL late, so revoke it after a delay.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
