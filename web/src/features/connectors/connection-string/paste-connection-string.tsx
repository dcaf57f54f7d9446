/** Fills a section from a pasted connection string. The text is not stored, because it may contain a password. */
import { Button, TextInput } from '@mantine/core'
import { IconClipboardText } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import { announceToScreenReader } from '../../../ui/feedback/toasts.tsx'
import type { FormState } from '../../../ui/forms/use-form.ts'
import { parseConnectionString } from './connection-string.ts'
import { fillConnectionFields } from './fill-connection-fields.ts'
import type { ConnectorFormField } from '../form/settings-form.ts'

const noServerFound =
  'No server was found in this. Paste the whole string, like Server=db.example.com;Database=shop;User Id=reader;Password=… or postgres://reader@db.example.com/shop.'

interface PasteConnectionStringProps {
  fields: readonly ConnectorFormField[]
  form: FormState
  /** Title of the section, for screen readers. */
  side: string
}

export function PasteConnectionString({ fields, form, side }: PasteConnectionStringProps) {
  const [text, setText] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  // The input replaces the button that was pressed, so it takes over the focus.
  const focusOnce = useCallback((box: HTMLInputElement | null) => box?.focus(), [])

  function fillFrom(pasted: string) {
    const connection = parseConnectionString(pasted)
    if (connection === null) {
      setError(noServerFound)
      setText(pasted)
      return
    }
    const { values, labels } = fillConnectionFields(fields, form.values, connection)
    form.setValues(values)
    announceToScreenReader(`Filled in: ${labels.join(', ')}.`)
    setText(null)
    setError(null)
  }

  if (text === null) {
    return (
      <div>
        <Button
          variant="default"
          size="compact-md"
          leftSection={<IconClipboardText />}
          aria-description={side}
          onClick={() => setText('')}
        >
          Paste a connection string
        </Button>
      </div>
    )
  }
  return (
    <TextInput
      label="Connection string"
      description="Fills in the fields below. What you paste is not kept."
      value={text}
      error={error}
      autoComplete="off"
      spellCheck={false}
      ref={focusOnce}
      onChange={(event) => setText(event.currentTarget.value)}
      onPaste={(event) => {
        event.preventDefault()
        fillFrom(event.clipboardData.getData('text'))
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        fillFrom(text)
      }}
      onBlur={() => {
        if (text.trim() === '') setText(null)
      }}
    />
  )
}
