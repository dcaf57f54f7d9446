import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { expect, test } from 'vitest'
import { findSocketOwner } from './socket-owner.ts'

test('the owner of a connection is found where another process connects elsewhere from the same port', async () => {
  await using cleanUp = new AsyncDisposableStack()
  const [here, elsewhere, unused] = [await listen(), await listen(), await listen()]
  for (const server of [here, elsewhere]) cleanUp.defer(() => void server.close())
  const localPort = portOf(unused)
  unused.close()
  const own = connect({ port: portOf(here), host: '127.0.0.1', localPort })
  cleanUp.defer(() => void own.destroy())
  await once(own, 'connect')
  const program = `require('net').connect({ port: ${portOf(elsewhere)}, host: '127.0.0.1', localPort: ${localPort} })`
  const other = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'ignore', 'inherit'] })
  cleanUp.defer(() => void other.kill('SIGKILL'))
  await once(elsewhere, 'connection')

  expect(findSocketOwner({ localPort, remotePort: portOf(here) })).toBe(process.pid)
  expect(findSocketOwner({ localPort, remotePort: portOf(elsewhere) })).toBe(other.pid)
})

async function listen(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
