import type { ODataDescription } from '../../described/description/schema-odata.ts'
import type { SimulatedSource, SimulatedSourceOptions } from './simulated-source.ts'
export function simulateOData(_: SimulatedSourceOptions<ODataDescription>): SimulatedSource {
  throw new Error('x')
}
