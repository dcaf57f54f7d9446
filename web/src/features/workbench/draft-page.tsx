/** One draft: its text, the settings of a call, and what trying and proving it have found. */
import { Button } from '@mantine/core'
import { CallError } from '@tributary/client/call-error'
import { useQuery } from '@tanstack/react-query'
import type { WorkbenchText } from '@tributary/contract/workbench'
import { useEffect, useState } from 'react'
import { call } from '../../api/call.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useUnsavedChanges } from '../../domain/link-editor/use-unsaved-changes.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { QueryPlaceholder } from '../../domain/requests/query-placeholder.tsx'
import { paths } from '../../paths.ts'
import { UnsavedChangesDialog } from '../../ui/dialogs/unsaved-changes-dialog.tsx'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { downloadFile } from '../../ui/files/download.ts'
import { useUpdateUrlParams } from '../../ui/hooks/search-params.ts'
import { Page } from '../../ui/layout/page.tsx'
import { type CheckedText, descriptionList, descriptionText } from './api.ts'
import { DeleteDraftDialog } from './delete-draft-dialog.tsx'
import { DescriptionPanel } from './description-panel.tsx'
import { ReadingPanels } from './reading-panels.tsx'
import css from './workbench.module.css'

interface DraftPageProps {
  readonly descriptionId: string
  /** What the drafting wants a person to look at. */
  readonly notes: readonly string[]
}

export function DraftPage({ descriptionId, notes }: DraftPageProps) {
  const query = useQuery(descriptionText(descriptionId))
  const { data } = query
  return (
    <Page kind="editor" title={data?.Name ?? 'Draft'} crumbs={[{ label: 'Workbench', to: paths.adminWorkbench }]}>
      {data === undefined ? <QueryPlaceholder of={query} /> : <DraftEditor draft={data} notes={notes} />}
    </Page>
  )
}

function DraftEditor({ draft, notes }: { readonly draft: WorkbenchText; readonly notes: readonly string[] }) {
  const [text, setText] = useState(draft.Text)
  const [savedText, setSavedText] = useState(draft.Text)
  const check = useMutation({
    mutationFn: async (checked: string): Promise<CheckedText> => ({
      text: checked,
      found: await call('POST /admin/workbench/check', { body: { text: checked } }),
    }),
  })
  const { mutate: startCheck } = check
  useEffect(() => {
    if (draft.Text.trim() !== '') startCheck(draft.Text)
  }, [draft.Text, startCheck])
  const blocker = useUnsavedChanges(text !== savedText)
  const isCurrent = check.data?.text === text
  return (
    <>
      <DescriptionPanel
        text={text}
        onChange={setText}
        notes={notes}
        check={check}
        buttons={<DraftButtons draft={draft} text={text} isUnsaved={text !== savedText} onSaved={setSavedText} />}
      />
      <ReadingPanels checked={check.data ?? null} isCurrent={isCurrent} />
      {blocker.state === 'blocked' ? <UnsavedChangesDialog onStay={blocker.reset} onLeave={blocker.proceed} /> : null}
    </>
  )
}

interface DraftButtonsProps {
  readonly draft: WorkbenchText
  readonly text: string
  readonly isUnsaved: boolean
  readonly onSaved: (text: string) => void
}

function DraftButtons({ draft, text, isUnsaved, onSaved }: DraftButtonsProps) {
  const { Id: descriptionId, Name: name } = draft
  const [revision, setRevision] = useState(draft.Revision)
  const invalidate = useInvalidate()
  const updateUrl = useUpdateUrlParams()
  const [isDeleting, setDeleting] = useState(false)
  const save = useMutation({
    mutationFn: async ({ saved, isOver = false }: { readonly saved: string; readonly isOver?: boolean }) => {
      const params = { descriptionId }
      const known = isOver ? await call('GET /admin/workbench/descriptions/:descriptionId', { params }) : null
      const body = { name, text: saved, revision: known?.Revision ?? revision }
      return call('PUT /admin/workbench/descriptions/:descriptionId', { params, body })
    },
    onSuccess: ({ Revision }, { saved }) => {
      setRevision(Revision)
      onSaved(saved)
      announceToScreenReader(`${name} is saved.`)
    },
    onSettled: () => invalidate(descriptionList),
  })
  return (
    <>
      <MutationError
        of={save}
        action={
          save.error instanceof CallError && save.error.code === 'changedMeanwhile' ? (
            <SaveOver isBusy={save.isPending} onSave={() => save.mutate({ saved: text, isOver: true })} />
          ) : null
        }
      />
      <div className={css.buttons}>
        <Button disabled={!isUnsaved} loading={save.isPending} onClick={() => save.mutate({ saved: text })}>
          {isUnsaved ? 'Save' : 'Saved'}
        </Button>
        <Button variant="default" onClick={() => downloadFile(`${name}.yaml`, text)}>
          Download
        </Button>
        <Button variant="default" onClick={() => setDeleting(true)}>
          Delete
        </Button>
      </div>
      {isDeleting ? (
        <DeleteDraftDialog
          draft={draft}
          onClose={() => setDeleting(false)}
          onDeleted={() => {
            onSaved(text)
            updateUrl({ draft: null })
          }}
        />
      ) : null}
    </>
  )
}

/** Another person has saved the draft since it was opened. */
function SaveOver({ isBusy, onSave }: { readonly isBusy: boolean; readonly onSave: () => void }) {
  return (
    <>
      <p>Open the workbench in another tab to read their text, or save yours over it.</p>
      <div>
        <Button variant="default" size="compact-md" loading={isBusy} onClick={onSave}>
          Save over it
        </Button>
      </div>
    </>
  )
}
