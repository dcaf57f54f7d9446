/** Downloads the rows that the filters match, in their order, and shows how much has arrived. */
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { CallError, messageOf } from '@tributary/client/call-error'
import type { CallName } from '@tributary/contract/calls'
import { useEffect, useRef, useState } from 'react'
import { callStream } from '../../api/call.ts'
import { MenuButton } from '../../ui/overlays/menu-button.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { downloadFile } from '../../ui/files/download.ts'
import { currentTimeZone, formatSize } from '../../ui/formats.ts'
import type { TableLocation } from './api.ts'
import css from './data.module.css'
import { type TableView, toRowsQuery } from './table-address.ts'

const formats = [
  { format: 'csv', label: 'CSV' },
  { format: 'xlsx', label: 'Excel workbook' },
  { format: 'parquet', label: 'Parquet' },
] as const
type Format = (typeof formats)[number]['format']

interface ExportButtonProps {
  location: TableLocation
  view: TableView
}

export function ExportButton({ location, view }: ExportButtonProps) {
  const { bytes, error, start, cancel, dismiss } = useDownload(location, view)
  if (bytes !== null)
    return (
      <div className={css.download}>
        <output>{bytes === 0 ? 'Preparing the download…' : `Downloaded ${formatSize(bytes)}…`}</output>
        <Button variant="default" size="compact-md" onClick={cancel}>
          Cancel
        </Button>
      </div>
    )
  return (
    <>
      <MenuButton
        position="bottom-end"
        width={200}
        withinPortal
        button={
          <Button variant="default" size="compact-md" leftSection={<IconDownload />}>
            Export
          </Button>
        }
        items={formats.map(({ format, label }) => ({
          label,
          icon: <IconDownload />,
          onSelect: () => void start(format),
        }))}
      />
      <div className={css.downloadError}>
        <ErrorBanner message={error} onDismiss={dismiss} />
      </div>
    </>
  )
}

/** Updates of the figure take no longer than the download itself. */
const shownEveryMs = 250

function useDownload(location: TableLocation, view: TableView) {
  /** Null: there is no download. */
  const [bytes, setBytes] = useState<number | null>(null)
  const [error, setError] = useState<string | null>(null)
  const running = useRef<AbortController | null>(null)
  // Leaving the page ends the download here and on the server.
  useEffect(() => () => running.current?.abort(), [])

  async function start(format: Format) {
    const controller = new AbortController()
    running.current = controller
    setError(null)
    setBytes(0)
    try {
      const parts = await readParts(format, { location, view, signal: controller.signal }, setBytes)
      downloadFile(`${location.table}.${format}`, new Blob(parts))
    } catch (failure) {
      if (!controller.signal.aborted)
        setError(failure instanceof CallError ? messageOf(failure) : 'The download broke off. Try it again.')
    }
    setBytes(null)
  }
  return { bytes, error, start, cancel: () => running.current?.abort(), dismiss: () => setError(null) }
}

interface DownloadRequest extends ExportButtonProps {
  readonly signal: AbortSignal
}

async function readParts(
  format: Format,
  { location, view, signal }: DownloadRequest,
  onBytes: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const name = `GET /tributary/clients/:clientId/data/tables/:schema/:table/rows.${format}` as const satisfies CallName
  const query = { ...toRowsQuery(view), timeZone: currentTimeZone() }
  const body = await callStream(name, { params: location, query, signal })
  const parts: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  let shownAt = 0
  const reader = body.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(next.value as Uint8Array<ArrayBuffer>)
    size += next.value.length
    if (performance.now() - shownAt < shownEveryMs) continue
    shownAt = performance.now()
    onBytes(size)
  }
  return parts
}
