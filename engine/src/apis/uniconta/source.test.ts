import { simulateUniconta } from '@tributary/testing/engine/apis/simulated-uniconta.ts'
import { testSource } from '@tributary/testing/conformance/source/source-suite.ts'

testSource('Uniconta, simulated', async () => {
  const simulation = await simulateUniconta()
  return {
    open: (signal) => simulation.open(signal),
    openRefused: () => simulation.open(undefined, { 'uniconta.password': 'not-the-right-word' }),
    async change() {
      simulation.clock.advance(3_600_000)
      for (let step = 0; step < 5; step += 1) simulation.sim.tick()
      return ['GLTransClient', 'DebtorInvoiceClient', 'DebtorInvoiceLines', 'InvTransClient', 'DebtorTransClient']
    },
    rows: {
      CompanyClient: 2,
      GLAccountClient: 16,
      DebtorClient: 30,
      CreditorClient: 12,
      DebtorInvoiceClient: 90,
      GLTransClient: 390,
    },
    secrets: [
      simulation.sim.password,
      'not-the-right-word',
      Buffer.from(`tributary:${simulation.sim.password}`).toString('base64'),
    ],
    [Symbol.asyncDispose]: () => simulation[Symbol.asyncDispose](),
  }
})
