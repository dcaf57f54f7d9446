/** Drafts of source descriptions: the list, and one of them with what it reads and what is proven about it. */
import { useState } from 'react'
import { useUrlParams } from '../../ui/hooks/search-params.ts'
import type { NewDescription } from './api.ts'
import { DraftList } from './draft-list.tsx'
import { DraftPage } from './draft-page.tsx'

export function WorkbenchPage() {
  const descriptionId = useUrlParams().get('draft')
  const [created, setCreated] = useState<NewDescription | null>(null)
  if (descriptionId === null) return <DraftList onCreated={setCreated} />
  const notes = created?.description.Id === descriptionId ? created.notes : []
  return <DraftPage key={descriptionId} descriptionId={descriptionId} notes={notes} />
}
