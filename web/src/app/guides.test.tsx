/** Each page has a guide that exists, and the help opens it. */
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { guides } from 'virtual:guides'
import { afterEach, expect, test } from 'vitest'
import { fakeServer, type PortalHandlers } from '@tributary/testing/web/fake-server.ts'
import { harbour, leave, renderApp, signedInAs } from '@tributary/testing/web/render-app.tsx'
import type { GuideNode } from '../features/help/guide-node.ts'
import { parseGuide } from '../../plugins/guides.ts'
import { routes } from './routes.ts'

afterEach(leave)

const places = new Set(guides.flatMap(({ path, sections }) => [path, ...sections.map(({ id }) => `${path}#${id}`)]))

test.each(routes.filter(({ allow }) => allow !== 'visitor').map(({ path, guide }) => ({ path, guide })))(
  '[UX-SHELL-12] $path has a section of a guide that exists',
  ({ guide }) => {
    expect(guide).toMatch(/^users\/[a-z]+#/u)
    expect(places).toContain(guide)
  },
)

test('[UX-SHELL-12] all links of the guides to other guides lead to a section that exists', () => {
  const linked = guides.flatMap(({ path }) => listLinks(parseGuide(path).content))
  const anchors = new Set(guides.flatMap(({ path }) => listAnchors(path)))
  expect(linked.length).toBeGreaterThan(20)
  expect(linked.filter((link) => !anchors.has(link))).toEqual([])
})

function listLinks(nodes: readonly GuideNode[]): readonly string[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return []
    const [, { guide }, ...content] = node
    return [...(guide === undefined ? [] : [guide]), ...listLinks(content)]
  })
}

/** A guide, and each of its headings. */
function listAnchors(path: string): readonly string[] {
  const ids = parseGuide(path).content.flatMap((node) => (typeof node === 'string' ? [] : [node[1]['id']]))
  return [path, ...ids.flatMap((id) => (id === undefined ? [] : [`${path}#${id}`]))]
}

const server: PortalHandlers = {
  'GET /organisations': () => [harbour],
  'GET /roles': () => [],
  'GET /users': () => [],
  'GET /invitations': () => [],
  'GET /tributary/clients/connector-types': () => [],
  'GET /tributary/clients/:clientId/connector-types': () => [],
  'GET /tributary/clients/:clientId/connectors': () => [],
}

test('[UX-SHELL-11] the help of a page opens its section, follows links within the help, and Escape returns to the page', async () => {
  fakeServer(server)
  signedInAs()
  const { address } = renderApp('/admin/security/users')
  await userEvent.click(await screen.findByRole('button', { name: 'Help' }))
  const help = await screen.findByRole('dialog', { name: 'Guide for administrators' })
  const heading = await within(help).findByRole('heading', { name: 'Invite people' })
  await waitFor(() => expect(document.activeElement).toBe(heading))
  const picture = within(help).getByRole('img', { name: 'The people of an organisation' })
  expect(picture.getAttribute('src')).toMatch(/users.*\.png/u)
  expect(Number(picture.getAttribute('width'))).toBeGreaterThan(100)

  await userEvent.click(within(help).getByRole('link', { name: 'create a security group' }))
  await waitFor(() => expect(address()).toContain('create-a-security-group'))
  await userEvent.click(within(help).getByRole('link', { name: 'For users' }))
  expect(await screen.findByRole('dialog', { name: 'Guide for users' })).toBeTruthy()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(address()).toBe('/admin/security/users')
})

test('[UX-SHELL-11] the address of a section opens it, and an unknown one opens the guide for users', async () => {
  fakeServer(server)
  signedInAs()
  renderApp('/home?help=users/user%23sign-in')
  expect(await screen.findByRole('dialog', { name: 'Guide for users' })).toBeTruthy()
  leave()
  signedInAs()
  renderApp('/home?help=nowhere')
  expect(await screen.findByRole('dialog', { name: 'Guide for users' })).toBeTruthy()
})
