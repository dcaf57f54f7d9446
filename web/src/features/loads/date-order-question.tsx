/**
 * Asks whether the day or the month comes first, if the column does not decide it, and reads the file again with the
 * answer.
 */
import { Button } from '@mantine/core'
import { Callout } from '../../ui/feedback/callout.tsx'
import { type UploadedFile, useReadFile } from './api.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import css from './loads.module.css'

interface DateOrderQuestionProps {
  source: File
  example: string
  onRead: (file: UploadedFile) => void
}

export function DateOrderQuestion({ source, example, onRead }: DateOrderQuestionProps) {
  const reading = useReadFile((file) => onRead(file))
  const read = (slashDates: 'dayFirst' | 'monthFirst') =>
    reading.mutate({ file: source, signal: new AbortController().signal, slashDates })
  return (
    <>
      <MutationError of={reading} />
      <Callout tone="warn" title={`Dates such as ${example} can be read in two ways.`}>
        <p>Which number is the day?</p>
        <div className={css.actions}>
          <Button variant="default" loading={reading.isPending} onClick={() => read('dayFirst')}>
            Day first
          </Button>
          <Button variant="default" loading={reading.isPending} onClick={() => read('monthFirst')}>
            Month first
          </Button>
        </div>
      </Callout>
    </>
  )
}
