import { expect, test } from 'vitest'
import { startMailServer } from '@tributary/testing/server/identity/mail-server.ts'
import { openMailServer } from './smtp.ts'

const from = 'no-reply@tributary.example'
const mail = {
  messageId: '<a@b>',
  recipient: 'c@d.example',
  writtenAt: new Date().toISOString(),
  subject: 's',
  text: 't',
  html: 'h',
}

test('the way to the mail server carries no password in the clear', async () => {
  const signIns: unknown[] = []
  await using open = await startMailServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, answer) => {
      signIns.push(password)
      answer(null, { user: 'anybody' })
    },
  })
  const server = openMailServer(`smtp://us%40er:canary-pass@127.0.0.1:${open.port}`, from)
  await expect(server.send(mail)).rejects.toMatchObject({ code: 'ETLS' })
  server.close()
  expect([signIns, open.received]).toEqual([[], []])
})

test('a mail server whose certificate nobody vouches for is given nothing', async () => {
  await using own = await startMailServer({ disabledCommands: ['AUTH'] })
  for (const url of [`smtp://127.0.0.1:${own.port}`, `smtp://localhost:${own.port}`]) {
    const server = openMailServer(url, from)
    await expect(server.send(mail)).rejects.toThrow(/certificate|altnames/iu)
    server.close()
  }
  expect(own.received).toEqual([])
})
