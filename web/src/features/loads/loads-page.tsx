/** Load: a sheet into the table of a version or a helper table. What was begun is in the address, so that a reload loses nothing. */
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { useMay, useWorkspace } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import type { Values } from '../../ui/forms/form.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Allowed } from '../../domain/permissions/permission-gate.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { later, Part } from '../../ui/later.tsx'
import { AddInPanel } from './add-in-panel.tsx'
import type { ReadFile } from './api.ts'
import { firstValues } from './load-options.ts'
import { FileDrop } from './file-dropzone.tsx'
import { LoadHistory } from './load-history.tsx'
import css from './loads.module.css'
import { LoadRight } from './load-permission-gate.tsx'
import { OneLoad } from './load-detail.tsx'

const ChoicesForm = later(async () => (await import('./load-options-form.tsx')).ChoicesForm)

const title = 'Load'

export function LoadsPage() {
  const may = useMay()
  const orgId = useWorkspace().organisation.Id
  return (
    <Allowed when={may('loadTables')} title={title}>
      <Page title={title}>
        <div className={css.page}>
          <Loading key={orgId} />
        </div>
      </Page>
    </Allowed>
  )
}

/** A file with what was chosen about it, kept while its load is checked, so that one can come back and choose otherwise. */
interface Opened {
  readonly file: ReadFile
  /** To be read again, where its dates can be read in two ways. */
  readonly source: File
  readonly values: Values
}

function Loading() {
  const { loadId } = useParams()
  const navigate = useNavigate()
  const [opened, setOpened] = useState<Opened | null>(null)

  if (loadId !== undefined)
    return (
      <OneLoad
        key={loadId}
        loadId={loadId}
        hasFile={opened !== null}
        onLoaded={() => setOpened(null)}
        onStartAnew={() => setOpened(null)}
      />
    )
  if (opened === null)
    return (
      <>
        <LoadRight>
          <FileDrop onRead={(file, source) => setOpened({ file, source, values: firstValues(file) })} />
        </LoadRight>
        <LoadHistory />
        <AddInPanel />
      </>
    )
  return (
    <Part fallback={<SkeletonLines count={6} height={36} />} onMissing={() => setOpened(null)}>
      <ChoicesForm
        key={opened.file.Id}
        file={opened.file}
        source={opened.source}
        before={opened.values}
        onReadAgain={(file, values) => setOpened({ ...opened, file, values })}
        onBegun={({ Id }, values) => {
          setOpened({ ...opened, values })
          void navigate(paths.load(Id))
        }}
        onOther={() => setOpened(null)}
      />
    </Part>
  )
}
