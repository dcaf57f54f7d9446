import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { leave, renderPart } from '@tributary/testing/web/render-app.tsx'
import { DescriptionDraft } from './description-draft.tsx'

afterEach(leave)

const fill = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label, { exact: false }), { target: { value } })
const write = () => userEvent.click(screen.getByRole('button', { name: 'Write the description' }))

test('[SRC-9] numbered pages need their size, or the reason why no record moves to another page', async () => {
  const drafts: string[] = []
  renderPart(<DescriptionDraft onDraft={(text) => void drafts.push(text)} />)
  fill('Address of the API', 'https://api.example.com/v1/')
  fill('Path of the list', 'orders')
  fireEvent.change(screen.getByPlaceholderText('order'), { target: { value: 'order' } })
  fireEvent.change(screen.getByDisplayValue('The reply has all records'), { target: { value: 'pageNumber' } })
  fill('Parameter with the number', 'page')
  await write()
  expect(drafts).toEqual([])
  fill('Why no record moves to another page', 'New records come last.')
  await write()
  expect(drafts.at(-1)).toContain('paging: { kind: pageNumber, parameter: "page", stable: "New records come last." }')
  fill('Parameter with the size of a page', 'per_page')
  expect(screen.queryByLabelText('Why no record moves to another page', { exact: false })).toBeNull()
  await write()
  expect(drafts.at(-1)).toContain(
    'paging: { kind: pageNumber, parameter: "page", size: { parameter: "per_page", rows: 100 } }',
  )
  expect(drafts).toHaveLength(2)
})
