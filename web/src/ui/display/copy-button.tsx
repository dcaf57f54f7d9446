import { copyConfirmationMs } from '@tributary/contract/limits'
import { ActionIcon } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { announceToScreenReader, showToast } from '../feedback/toasts.tsx'
import { Tooltip } from '../overlays/tooltip.tsx'

/** Returns whether the text was copied. If the browser refuses, a toast says so. */
export async function copyText(text: string, what: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    showToast(`The browser blocked copying. Select the ${what} and copy it.`)
    return false
  }
}

/** Copies `text`; `isCopied` stays true for three seconds. `what` names it: 'host'. */
export function useCopy(text: string, what: string) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), copyConfirmationMs)
    return () => clearTimeout(timer)
  }, [isCopied])

  async function copy() {
    if (!(await copyText(text, what))) return
    setCopied(true)
    announceToScreenReader(`Copied ${what}`)
  }
  return { isCopied, copy }
}

export function CopyButton({ text, what }: { text: string; what: string }) {
  const { isCopied, copy } = useCopy(text, what)
  return (
    <Tooltip label={isCopied ? 'Copied' : `Copy ${what}`} isHeld={isCopied}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={28}
        aria-label={isCopied ? `Copied ${what}` : `Copy ${what}`}
        onClick={() => void copy()}
      >
        {isCopied ? <IconCheck /> : <IconCopy />}
      </ActionIcon>
    </Tooltip>
  )
}
