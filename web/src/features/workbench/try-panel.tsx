/** Reads some pages of a stream, and shows what was sent and received next to the rows. */
import { Button, NativeSelect } from '@mantine/core'
import { CallError } from '@tributary/client/call-error'
import { workbenchLimits } from '@tributary/contract/limits'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { TriedResult } from './tried-result.tsx'
import type { EnteredSettings } from './use-entered-settings.ts'
import css from './workbench.module.css'

export interface ReadingProps {
  /** A text without problems. */
  readonly text: string
  readonly streams: readonly string[]
  readonly settings: EnteredSettings
  /** False once the editor has another text. */
  readonly isCurrent: boolean
}

export function TryPanel({ text, streams, settings, isCurrent }: ReadingProps) {
  const [chosen, setChosen] = useState('')
  const [pages, setPages] = useState('2')
  const attempt = useMutation({
    mutationFn: (stream: string) =>
      call('POST /admin/workbench/try', {
        body: {
          text,
          values: { ...settings.values },
          pages: Number(pages),
          ...(stream !== '' && { stream }),
        },
      }),
    onError: (error: Error) => error instanceof CallError && settings.form.showErrors(error.fields),
  })
  // An OData service lists its sets only when it is read.
  const offered = streams.length > 0 ? streams : (attempt.data?.Streams ?? [])
  const stream = offered.includes(chosen) ? chosen : (offered[0] ?? '')
  return (
    <Panel title="Try">
      <p className="muted">Reads a few pages with calls that change nothing.</p>
      <div className={css.choice}>
        <NativeSelect
          label="Stream"
          data={offered.length === 0 ? [{ value: '', label: 'The first one' }] : [...offered]}
          value={stream}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
        <NativeSelect
          label="Pages"
          data={Array.from({ length: workbenchLimits.pagesMax }, (_, index) => String(index + 1))}
          value={pages}
          onChange={(event) => setPages(event.currentTarget.value)}
        />
        <Button
          loading={attempt.isPending}
          disabled={!isCurrent}
          onClick={() => {
            if (settings.form.validate()) attempt.mutate(stream)
          }}
        >
          Try
        </Button>
      </div>
      <MutationError of={attempt} />
      <div aria-live="polite" className={css.outcome}>
        {attempt.data === undefined || attempt.isPending ? null : <TriedResult result={attempt.data} />}
      </div>
    </Panel>
  )
}
