/**
 * Loads a sheet into the table of a version or a helper table. An unfinished load is in the URL, so that a reload
 * loses nothing.
 */
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import type { FormValues } from '../../ui/forms/use-form.ts'
import { Page } from '../../ui/layout/page.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { ClosingLazyBoundary } from '../../ui/lazy.tsx'
import { LazyBoundary, lazyComponent } from '../../ui/lazy-component.tsx'
import { AddInPanel } from './add-in-panel.tsx'
import type { UploadedFile } from './api.ts'
import { defaultOptions } from './load-options.ts'
import { FileDropzone } from './file-dropzone.tsx'
import { LoadHistory } from './load-history.tsx'
import { LoadPermissionGate } from './load-permission-gate.tsx'

const LazyLoadDetail = lazyComponent(() => import('./load-detail.tsx'), 'LoadDetail')
const LazyLoadOptionsForm = lazyComponent(() => import('./load-options-form.tsx'), 'LoadOptionsForm')

const loading = <SkeletonLines count={6} height={36} />

export function LoadsPage() {
  const orgId = useOrganisationId()
  return (
    <Page kind="form">
      <LoadsContent key={orgId} />
    </Page>
  )
}

/** A file with its options, kept during the check, so that the user can return and change them. */
interface OpenedFile {
  readonly file: UploadedFile
  /** The original file, to be read again after the question about dates. */
  readonly source: File
  readonly values: FormValues
}

function LoadsContent() {
  const { loadId } = useParams()
  const navigate = useNavigate()
  const [opened, setOpened] = useState<OpenedFile | null>(null)

  if (loadId !== undefined)
    return (
      <LazyBoundary fallback={loading}>
        <LazyLoadDetail
          key={loadId}
          loadId={loadId}
          hasFile={opened !== null}
          onLoaded={() => setOpened(null)}
          onStartOver={() => setOpened(null)}
        />
      </LazyBoundary>
    )
  if (opened === null)
    return (
      <>
        <LoadPermissionGate>
          <FileDropzone onRead={(file, source) => setOpened({ file, source, values: defaultOptions(file) })} />
        </LoadPermissionGate>
        <LoadHistory />
        <AddInPanel />
      </>
    )
  return (
    <ClosingLazyBoundary fallback={loading} onClose={() => setOpened(null)}>
      <LazyLoadOptionsForm
        key={opened.file.Id}
        file={opened.file}
        source={opened.source}
        initialValues={opened.values}
        onReadAgain={(file, values) => setOpened({ ...opened, file, values })}
        onBegun={({ Id }, values) => {
          setOpened({ ...opened, values })
          void navigate(paths.load(Id))
        }}
        onOtherFile={() => setOpened(null)}
      />
    </ClosingLazyBoundary>
  )
}
