/** Deployment on the operator's machine: systemd units, and configurations of proxies. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileMaxBytes } from '@tributary/contract/limits'
import { runs } from '@tributary/contract/runs'
import { describe, expect, test } from 'vitest'
import { root } from './installed.ts'
import { listBare, listUnknown, stopSeconds } from './settings.ts'

const read = (path: string) => readFileSync(join(root, 'deploy', path), 'utf8')
const lines = (text: string, name: string) =>
  [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gmu'))].map(([, value = '']) => value)

describe.each([
  ['systemd/tributary-web.service', 'web'],
  ['systemd/tributary-worker@.service', 'worker'],
])('the unit %s', (path, role) => {
  const unit = read(path)
  const variables = lines(unit, 'Environment').flatMap((line) => line.split(' ').map((pair) => pair.split('=')))
  const names = variables.map(([name = '']) => name)

  test('sets only known settings, passes secrets as files, and has more time to stop than a process takes', () => {
    expect(variables).toContainEqual(['TRIBUTARY_ROLE', role])
    expect([...listUnknown(names), ...listBare(names)]).toEqual([])
    const handed = lines(unit, 'LoadCredential').map((line) => line.split(':')[0])
    const secretFiles = variables
      .filter(([name]) => name?.endsWith('_FILE'))
      .map(([, file]) => file?.replace('%d/', ''))
    expect(handed).toEqual(secretFiles)
    expect(Number(lines(unit, 'TimeoutStopSec')[0])).toBeGreaterThan(stopSeconds())
  })

  test('owns nothing, gains no privilege, and writes only to a private temporary folder', () => {
    const hardened = {
      DynamicUser: 'yes',
      NoNewPrivileges: 'yes',
      CapabilityBoundingSet: '',
      ProtectSystem: 'strict',
      ProtectHome: 'yes',
      PrivateTmp: 'yes',
      PrivateDevices: 'yes',
    }
    for (const [name, value] of Object.entries(hardened)) expect([name, lines(unit, name)]).toEqual([name, [value]])
  })
})

describe.each(['proxy/nginx.conf', 'proxy/Caddyfile'])('the proxy of %s', (path) => {
  const proxy = read(path)

  test('accepts the largest file', () => {
    const [, size = ''] = /(?:client_max_body_size|max_size) (\d+)(?:m;|MiB)/u.exec(proxy) ?? []
    expect(Number(size) * 1_048_576).toBeGreaterThanOrEqual(fileMaxBytes)
  })

  test('sets no security headers, so that the server’s apply and Excel may frame the task pane', () => {
    expect(proxy).not.toMatch(/X-Frame-Options|Content-Security-Policy|add_header|Strict-Transport/iu)
  })

  test('passes events without buffering, and does not publish the metrics', () => {
    expect(proxy).toMatch(/proxy_buffering off;|flush_interval -1/u)
    expect(proxy).toMatch(/\/metrics (?:\{ return )?404/u)
  })
})

test('nginx sends the address that it sees as the client address, and matches the address of events', () => {
  const proxy = read('proxy/nginx.conf')
  const blocks = proxy.split(/^ {4}location /mu).filter((block) => block.includes('proxy_pass'))
  expect(blocks).toHaveLength(2)
  for (const block of blocks) {
    expect(block).toContain('proxy_set_header X-Forwarded-For $remote_addr;')
    expect(block).toContain('proxy_set_header Host $host;')
  }
  const [, events = ''] = /location ~ (\S+) \{/u.exec(proxy) ?? []
  expect(`/api${runs.events.path}`).toMatch(new RegExp(events, 'u'))
})
