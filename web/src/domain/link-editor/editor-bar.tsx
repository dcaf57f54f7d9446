/** The bar below two panes: the way back, a summary and the button that continues or saves. */
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import css from './link-editor.module.css'

interface EditorBarProps {
  back: string
  onBack: () => void
  submit: string
  onSubmit: () => void
  isSubmitDisabled?: boolean
  isBusy: boolean
  children?: ReactNode
}

export function EditorBar(props: EditorBarProps) {
  const { back, onBack, submit, onSubmit, isSubmitDisabled = false, isBusy, children } = props
  return (
    <div className={css.bar}>
      <Button variant="default" onClick={onBack}>
        {back}
      </Button>
      <div className={css.summary}>{children}</div>
      <Button disabled={isSubmitDisabled} loading={isBusy} onClick={onSubmit} aria-keyshortcuts="Control+Enter">
        {submit}
      </Button>
    </div>
  )
}
