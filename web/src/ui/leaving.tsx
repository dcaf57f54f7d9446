import { Button } from '@mantine/core'

interface LeavingProps {
  /** Of the bar and of its question, as the place has them. */
  css: { readonly bar?: string | undefined; readonly ask?: string | undefined }
  /** In a dialog, which holds the focus. */
  hasFocus?: boolean
  onStay: () => void
  onLeave: () => void
}

/** Asks before what was typed or chosen, and not saved, is lost. */
export function Leaving({ css, hasFocus = false, onStay, onLeave }: LeavingProps) {
  return (
    <div className={css.bar} role="alert">
      <span className={css.ask}>You have changes that are not saved.</span>
      <Button variant="default" onClick={onStay} data-autofocus={hasFocus || undefined}>
        Keep editing
      </Button>
      <Button color="red" onClick={onLeave}>
        Discard changes
      </Button>
    </div>
  )
}
