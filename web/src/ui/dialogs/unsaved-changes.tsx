import { Button } from '@mantine/core'

export const unsavedChangesMessage = 'You have changes that are not saved.'

export interface UnsavedChangesButtonsProps {
  /** Set in a dialog, which traps the focus. */
  hasFocus?: boolean
  onStay: () => void
  onLeave: () => void
}

interface UnsavedChangesProps extends UnsavedChangesButtonsProps {
  /** Class names from the style sheet of the surrounding component. */
  css: { readonly bar?: string | undefined; readonly ask?: string | undefined }
}

/** A bar that asks for confirmation before unsaved input is lost. */
export function UnsavedChanges({ css, ...buttons }: UnsavedChangesProps) {
  return (
    <div className={css.bar} role="alert">
      <span className={css.ask}>{unsavedChangesMessage}</span>
      <UnsavedChangesButtons {...buttons} />
    </div>
  )
}

export function UnsavedChangesButtons({ hasFocus = false, onStay, onLeave }: UnsavedChangesButtonsProps) {
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
