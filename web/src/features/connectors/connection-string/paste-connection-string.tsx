/** Fills a section from a connection string as other programs write it. The text, which may hold a password, is not kept. */
import { Button, TextInput } from '@mantine/core'
import { IconClipboardText } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import { tell } from '../../../ui/feedback/toasts.tsx'
import type { Form } from '../../../ui/forms/form.ts'
import { readConnectionString } from './connection-string.ts'
import { fillConnection } from './fill-connection-fields.ts'
import type { FormField } from '../form/settings-form.ts'

const unknown =
  'No server was found in this. Paste the whole string, like Server=db.example.com;Database=shop;User Id=reader;Password=… or postgres://reader@db.example.com/shop.'

export function PasteConnection({ fields, form, side }: { fields: readonly FormField[]; form: Form; side: string }) {
  const [text, setText] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  // It stands where the button was that was pressed for it.
  const focusOnce = useCallback((box: HTMLInputElement | null) => box?.focus(), [])

  function fillFrom(pasted: string) {
    const connection = readConnectionString(pasted)
    if (connection === null) {
      setError(unknown)
      setText(pasted)
      return
    }
    const { values, labels } = fillConnection(fields, form.values, connection)
    form.set(values)
    tell(`Filled in: ${labels.join(', ')}.`)
    setText(null)
    setError(null)
  }

  if (text === null) {
    return (
      <div>
        <Button
          variant="default"
          size="compact-md"
          leftSection={<IconClipboardText size={16} aria-hidden />}
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
