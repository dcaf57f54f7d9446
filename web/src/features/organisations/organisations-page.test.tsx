import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'

afterEach(leave)

const all = Array.from({ length: 130 }, (_, index) => ({
  ...harbour,
  Id: `00000000-0000-4000-8000-00000001${String(index).padStart(4, '0')}`,
  CompanyName: `Company ${index}`,
}))

function serve(): void {
  fakeServer({
    'GET /organisations': ({ url: { searchParams: query } }) => {
      const page = query.get('page')
      if (page === null) return [harbour]
      const found = all.filter(({ CompanyName }) => CompanyName.toLowerCase().includes(query.get('search') ?? ''))
      const size = Number(query.get('pageSize'))
      return Response.json(found.slice((Number(page) - 1) * size, Number(page) * size), {
        headers: { 'x-total-count': String(found.length) },
      })
    },
    'GET /roles': () => [],
    'GET /tributary/clients/connector-types': () => [],
    'GET /tributary/clients/:clientId/connector-types': () => [],
  })
  signedInAs({ roleLevel: 0 })
}

test('[SCALE-4] the page of organisations is searched and paged by the server', async () => {
  serve()
  renderApp('/admin/organisations')
  expect(await screen.findByText('Page 1 of 3')).toBeDefined()
  expect(screen.getAllByRole('article')).toHaveLength(60)
  await userEvent.click(screen.getByRole('button', { name: 'Next' }))
  // By role, the cards of a page take seconds.
  expect(await screen.findByText('Company 60', {}, { timeout: 15_000 })).toBeDefined()
  await userEvent.click(screen.getByLabelText('Search organisations'))
  await userEvent.paste('Company 129')
  expect(await screen.findByText('Company 129', {}, { timeout: 15_000 })).toBeDefined()
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(1))
})

test('[SCALE-4] a page behind the last one shows the last one', async () => {
  serve()
  renderApp('/admin/organisations?page=9')
  expect(await screen.findByText('Page 3 of 3')).toBeDefined()
  expect(await screen.findByRole('heading', { name: 'Company 129' })).toBeDefined()
})
