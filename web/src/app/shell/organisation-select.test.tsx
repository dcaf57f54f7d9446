import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Organisation } from '@tributary/contract/organisations'
import { afterEach, expect, test } from 'vitest'
import { fakeServer } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, session, signedInAs } from '@tributary/testing/web/render-app.tsx'

afterEach(leave)

function organisation(index: number): Organisation {
  const Id = `00000000-0000-4000-8000-0000000009${String(index).padStart(2, '0')}`
  return { ...harbour, Id, CompanyName: `Company ${index}`, Key: `company-${index}` }
}

async function openSelect(count: number) {
  fakeServer({
    'GET /organisations': () => [harbour, ...Array.from({ length: count - 1 }, (_, index) => organisation(index))],
    'GET /roles': () => [],
    'GET /tributary/clients/connector-types': () => [],
    'GET /tributary/clients/:clientId/connector-types': () => [],
    'GET /tributary/clients/:clientId/connectors': () => [],
    'POST /auth/refresh': () => session({ organisationId: organisation(5).Id }),
  })
  signedInAs()
  renderApp(`/home?organisation=${harbour.Id}`)
  await waitFor(() => expect(document.title).toContain(harbour.CompanyName))
  await userEvent.click(await screen.findByRole('combobox', { name: 'Organisation' }))
  await screen.findByRole('option', { name: harbour.CompanyName })
}

test('[UX-SHELL-13] of more than seven organisations one is found by typing, with the keyboard alone', async () => {
  await openSelect(8)
  expect(screen.getAllByRole('option')).toHaveLength(8)
  await userEvent.keyboard('5')
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Company 5'])
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(document.title).toContain('Company 5'))
})

test('[UX-SHELL-13] a term that matches no organisation says so', async () => {
  await openSelect(8)
  await userEvent.keyboard('nowhere')
  expect(screen.queryAllByRole('option')).toEqual([])
  expect(await screen.findByText('None matches')).toBeTruthy()
})

test('[UX-SHELL-13] seven organisations are a plain list', async () => {
  await openSelect(7)
  expect(screen.getByDisplayValue(harbour.CompanyName)).toHaveProperty('readOnly', true)
})

test('[SCALE-4] of more organisations than are loaded, the one in the address is read by its id, and others are found by the server', async () => {
  const [beyond, found] = [organisation(98), { ...organisation(99), CompanyName: 'Quay far behind' }]
  const asked: string[] = []
  fakeServer({
    'GET /organisations': ({ url: { searchParams } }) => {
      asked.push(searchParams.toString())
      if (searchParams.has('id')) return [beyond, found].filter(({ Id }) => Id === searchParams.get('id'))
      if (searchParams.has('search')) return [found].filter(({ CompanyName }) => CompanyName.includes('Quay'))
      return Array.from({ length: 1_000 }, (_, index) => ({
        ...harbour,
        Id: `00000000-0000-4000-8000-00000001${String(index).padStart(4, '0')}`,
        CompanyName: `Loaded ${index}`,
      }))
    },
    'GET /roles': () => [],
    'GET /tributary/clients/connector-types': () => [],
    'GET /tributary/clients/:clientId/connector-types': () => [],
    'GET /tributary/clients/:clientId/connectors': () => [],
    'POST /auth/refresh': ({ body }) => session(body as { readonly organisationId: string }),
  })
  signedInAs()
  renderApp(`/home?organisation=${beyond.Id}`)
  await waitFor(() => expect(document.title).toContain('Company 98'))
  expect(asked).toContain('pageSize=1000')
  await userEvent.click(await screen.findByRole('combobox', { name: 'Organisation' }))
  await screen.findByRole('option', { name: 'Loaded 0' })
  await userEvent.keyboard('Quay')
  await waitFor(() =>
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Quay far behind']),
  )
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(document.title).toContain('Quay far behind'))
  expect(asked).toContain('search=Quay&pageSize=100')
})
