/** Drop zone for a file. A file that cannot be read is refused before it is uploaded. */
import { fileMaxBytes } from '@tributary/contract/limits'
import { Button } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { messageOf } from '@tributary/client/call-error'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { type UploadedFile, useReadFile } from './api.ts'
import { ProgressNote } from './progress-note.tsx'
import css from './loads.module.css'

const mebibyte = 1_048_576

export function FileDropzone({ onRead }: { onRead: (file: UploadedFile, source: File) => void }) {
  const { reading, refusal, uploadFirst, stop, dismiss } = useFileUpload(onRead)
  const { isOver, ...drop } = useDropTarget(uploadFirst)
  const input = useRef<HTMLInputElement>(null)
  const name = reading.variables?.file.name
  return (
    <>
      <ErrorBanner
        message={refusal ?? (reading.error === null ? null : messageOf(reading.error))}
        onDismiss={dismiss}
      />
      <section
        className={css.drop}
        data-over={isOver || undefined}
        aria-label="File"
        aria-busy={reading.isPending}
        {...drop}
      >
        {reading.isPending ? (
          <>
            <ProgressNote>{`Reading ${name}…`}</ProgressNote>
            <Button variant="default" onClick={stop}>
              Cancel
            </Button>
          </>
        ) : (
          <>
            <IconFileSpreadsheet size={32} stroke={1.5} />
            <p>Drop a sheet here, or choose it. Nothing is loaded before you have seen what it would change.</p>
            <Button onClick={() => input.current?.click()}>Choose a file</Button>
            <p className="small subtle">{`.xlsx or .csv, up to ${fileMaxBytes / mebibyte} MiB`}</p>
          </>
        )}
        <input
          ref={input}
          type="file"
          hidden
          accept=".xlsx,.csv"
          aria-label="File to load"
          onChange={(event) => {
            uploadFirst([...(event.currentTarget.files ?? [])])
            // Reset, so that the same file can be chosen again after it was fixed.
            event.currentTarget.value = ''
          }}
        />
      </section>
    </>
  )
}

function useFileUpload(onRead: (file: UploadedFile, source: File) => void) {
  const reading = useReadFile(onRead)
  const [refusal, setRefusal] = useState<string | null>(null)
  const controller = useRef<AbortController>(undefined)
  useEffect(() => () => controller.current?.abort(), [])

  function uploadFirst(files: readonly File[]) {
    const refusalOfFiles = checkFiles(files)
    setRefusal(refusalOfFiles)
    reading.reset()
    const [file] = files
    if (refusalOfFiles !== null || file === undefined) return
    controller.current = new AbortController()
    reading.mutate({ file, signal: controller.current.signal })
  }
  function stop() {
    controller.current?.abort()
    reading.reset()
  }
  function dismiss() {
    setRefusal(null)
    reading.reset()
  }
  return { reading, refusal, uploadFirst, stop, dismiss }
}

/** Ignores drops outside the drop zone, because the browser would open the file and leave the page. */
function useDropTarget(take: (files: readonly File[]) => void) {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const keepPage = (event: Event) => event.preventDefault()
    for (const kind of ['dragover', 'drop']) window.addEventListener(kind, keepPage)
    return () => {
      for (const kind of ['dragover', 'drop']) window.removeEventListener(kind, keepPage)
    }
  }, [])
  return {
    isOver,
    onDragOver: (event: DragEvent) => {
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      setOver(false)
      take([...event.dataTransfer.files])
    },
  }
}

/** Returns a sentence that says what to do instead, or null if the file can be read. */
export function checkFiles(files: readonly Pick<File, 'name' | 'size'>[]): string | null {
  const [file] = files
  if (file === undefined) return null
  if (files.length > 1) return 'Only one file can be loaded at a time. Choose one of them.'
  if (!/\.(?:xlsx|csv)$/iu.test(file.name))
    return `${file.name} is neither .xlsx nor .csv. Open it in Excel, save it as .xlsx, and choose that file.`
  if (file.size === 0) return `${file.name} is empty. Save the sheet again, and choose it once more.`
  if (file.size <= fileMaxBytes) return null
  const size = (Math.ceil((file.size * 10) / mebibyte) / 10).toFixed(1)
  return `${file.name} has ${size} MiB, and a file may have ${fileMaxBytes / mebibyte} MiB. Remove pictures and sheets that are not needed, or load the rows in several files.`
}
