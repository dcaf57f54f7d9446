/** The controls that the header of every page has: the command palette and the help. */
import { ActionIcon } from '@mantine/core'
import { IconHelp, IconSearch } from '@tabler/icons-react'
import css from './header-tools.module.css'

interface HeaderToolsProps {
  readonly onPalette: () => void
  readonly onHelp: () => void
  readonly onPrefetch: () => void
}

const isApple = /mac|iphone|ipad/iu.test(navigator.userAgent)

export function HeaderTools({ onPalette, onHelp, onPrefetch }: HeaderToolsProps) {
  return (
    <>
      <button
        type="button"
        className={css.palette}
        aria-keyshortcuts="Control+K Meta+K"
        aria-haspopup="dialog"
        onPointerEnter={onPrefetch}
        onFocus={onPrefetch}
        onClick={onPalette}
      >
        <IconSearch />
        <span className={css.text}>Go to…</span>
        <kbd aria-hidden>{isApple ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      <ActionIcon variant="subtle" color="gray" size={36} aria-label="Help" aria-haspopup="dialog" onClick={onHelp}>
        <IconHelp size={18} stroke={1.75} />
      </ActionIcon>
    </>
  )
}
