import { Button } from '@mantine/core'

export const leavingQuestion = 'You have changes that are not saved.'

export interface LeavingButtonsProps {
  /** In a dialog, which holds the focus. */
  hasFocus?: boolean
  onStay: () => void
  onLeave: () => void
}

interface LeavingProps extends LeavingButtonsProps {
  /** Of the bar and of its question, as the place has them. */
  css: { readonly bar?: string | undefined; readonly ask?: string | undefined }
}

/** Asks before what was typed or chosen, and not saved, is lost. */
export function Leaving({ css, ...buttons }: LeavingProps) {
  return (
    <div className={css.bar} role="alert">
      <span className={css.ask}>{leavingQuestion}</span>
      <LeavingButtons {...buttons} />
    </div>
  )
}

export function LeavingButtons({ hasFocus = false, onStay, onLeave }: LeavingButtonsProps) {
  return (
    <>
      <Button variant="default" onClick={onStay} data-autofocus={hasFocus || undefined}>
        Keep editing
      </Button>
      <Button color="red" onClick={onLeave}>
        Discard changes
      </Button>
    </>
  )
}
