import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { everywhere, id, readFile } from '@tributary/testing/web/load-samples.ts'
import { leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

// The chunk of the page is loaded before the tests, so that loading does not count as test time.
beforeAll(() => import('./loads-page.tsx'))
afterEach(leave)

test('ambiguous dates are asked about before the check; the answer reads the file again and keeps the options', async () => {
  signedInAs()
  const answers: (string | null)[] = []
  const sheet = (dateQuestion: string | null) => ({
    Name: 'CSV',
    Rows: 2,
    Columns: 1,
    FirstRows: [['Day'], [dateQuestion ?? { d: '2026-04-03' }]],
    Notice: null,
    IsHidden: false,
    DateQuestion: dateQuestion,
  })
  fakeServer({
    ...everywhere,
    'POST /loads/files': ({ url }) => {
      const answer = url.searchParams.get('slashDates')
      answers.push(answer)
      return {
        ...readFile,
        Id: id(40 + answers.length),
        Name: 'plan.csv',
        Sheets: [sheet(answer === null ? '03/04/2026' : null)],
      }
    },
  })
  renderApp('/excel/loads')
  const place = await screen.findByRole('region', { name: 'File' })
  fireEvent.drop(place, { dataTransfer: { files: [new File(['Day'], 'plan.csv')] } })
  expect(await screen.findByText('Dates such as 03/04/2026 can be read in two ways.')).toBeDefined()
  await userEvent.selectOptions(await screen.findByLabelText('Table'), 'Colours')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Check' }).disabled).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: 'Day first' }))
  await waitFor(() => expect(screen.queryByText('Which number is the day?')).toBeNull())
  expect(await screen.findByRole('columnheader', { name: 'Day date' })).toBeDefined()
  expect(screen.getByLabelText<HTMLSelectElement>('Table').value).toBe(id(15))
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Check' }).disabled).toBe(false)
  expect(answers).toEqual([null, 'dayFirst'])
})
