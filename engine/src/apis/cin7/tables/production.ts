/** Assemblies, disassemblies and production orders. */
import { childTable, parentTable } from '../../http/documents.ts'
import {
  day,
  flag,
  guid,
  money,
  numberedFields,
  ordinal,
  sectionNumber,
  text,
  json,
  integer,
} from '../../http/fields.ts'
import { listLimit, taskStream, partsAsRows, rowsWithin, rowsWithinEach } from './stream-kinds.ts'
import type { Cin7Stream } from './stream-kinds.ts'
import { entriesOf, taskId } from './stock.ts'

const product = [guid('ProductID'), text('ProductCode', 50)]
const batch = [text('Bin', 256), guid('BinID'), text('BatchSN', 256), day('ExpiryDate')]
const customFields = numberedFields('CustomField', 10, text)

const assembly = parentTable(
  'assembly',
  [
    guid('TaskID', { key: true }),
    text('AssemblyNumber', 50),
    text('Status', 50),
    day('Date'),
    day('CompletionDate'),
    day('WIPDate'),
    text('Location', 256),
    guid('LocationID'),
    ...product,
    text('ProductName', 256),
    money('Quantity'),
    money('UnitCost'),
    ...batch,
    text('Account', 50),
    text('WIPAccount', 50),
    text('AssemblyInstructionURL'),
    text('Notes'),
    ...customFields,
  ],
  [
    childTable(
      'assembly_order_line',
      [
        taskId,
        ordinal,
        ...product,
        text('Name', 256),
        text('Unit', 50),
        money('Quantity'),
        money('TotalQuantity'),
        money('TotalCost'),
        money('WastagePercent'),
        money('WastageQuantity'),
        text('ExpenseAccount', 50),
      ],
      rowsWithin('OrderLines'),
    ),
    childTable(
      'assembly_pick_line',
      [taskId, ordinal, ...product, text('Name', 256), text('Unit', 50), money('Quantity'), money('Cost'), ...batch],
      rowsWithin('PickLines'),
    ),
    entriesOf('assembly'),
  ],
)

const disassembly = parentTable(
  'disassembly',
  [
    guid('TaskID', { key: true }),
    text('DisassemblyNumber', 50),
    text('Status', 50),
    day('Date'),
    day('CompletionDate'),
    text('Location', 256),
    guid('LocationID'),
    ...product,
    text('ProductName', 256),
    money('Quantity'),
    text('WIPAccount', 50),
    text('AssemblyInstructionURL'),
  ],
  [
    childTable(
      'disassembly_order_line',
      [
        taskId,
        ordinal,
        ...product,
        text('Name', 256),
        text('Unit', 50),
        money('Quantity'),
        money('Cost'),
        text('Account', 50),
        ...batch,
      ],
      rowsWithin('OrderLines'),
    ),
    childTable(
      'disassembly_service_line',
      [taskId, ordinal, guid('ProductID'), text('Name', 256), text('Account', 50), money('Amount'), text('Comments')],
      rowsWithin('OrderServiceLines'),
    ),
    childTable(
      'disassembly_pick_line',
      [
        taskId,
        ordinal,
        day('Date'),
        money('Quantity'),
        money('Available'),
        money('UnitCost'),
        money('TotalCost'),
        ...batch,
      ],
      rowsWithin('PickLines'),
    ),
    entriesOf('disassembly'),
  ],
)

const orderId = guid('ProductionOrderID', { of: 'document', key: true })

const operation = childTable(
  'production_order_operation',
  [
    orderId,
    ordinal,
    guid('OperationID'),
    text('Name', 256),
    text('OperationType', 50),
    integer('Order', { as: 'position' }),
    guid('WorkCenterID'),
    text('WorkCenterCode', 50),
    text('WorkCenterName', 256),
    money('CycleTime'),
    money('TotalCycleTime'),
    money('UnitsPerCycle'),
    money('TotalUnitsPerCycle'),
    flag('IsBackflush'),
    flag('IsDropShip'),
    text('WorkCenterCoManProcurementType', 50),
    guid('ComponentLocationID'),
    json('Notes'),
    json('Attachments'),
    json('OperationLinks'),
    json('InputProducts'),
    json('OutputProducts'),
    json('FinishedProducts'),
  ],
  partsAsRows('operation', 'Operations'),
)

const costs = [money('Quantity'), money('Cost'), money('TotalCost')]
const component = childTable(
  'production_order_component',
  [
    orderId,
    sectionNumber,
    ordinal,
    guid('OrderComponentID'),
    integer('Position'),
    guid('ProductID'),
    text('ProductSKU', 50),
    text('ProductName', 256),
    text('ProductType', 50),
    text('Unit', 50),
    ...costs,
    money('TotalQuantity'),
    money('Available'),
    money('ProductCost'),
    text('CostingMethod', 50),
    integer('SalePriceTier'),
    money('WastagePercent'),
    money('WastageQty'),
    flag('IsAlternative'),
    flag('IsBackflush'),
  ],
  rowsWithinEach('Operations', 'Components'),
)
const resource = childTable(
  'production_order_resource',
  [
    orderId,
    sectionNumber,
    ordinal,
    guid('OrderResourceID'),
    integer('Position'),
    guid('ResourceID'),
    text('ResourceCode', 50),
    text('ResourceName', 256),
    ...costs,
    money('CycleTime'),
    money('ResourceCost'),
    text('CostCalculationType', 50),
  ],
  rowsWithinEach('Operations', 'Resources'),
)

const productionOrder = parentTable(
  'production_order',
  [
    guid('ProductionOrderID', { key: true }),
    text('OrderNumber', 50),
    text('Status', 50),
    text('OrderStatus', 50),
    guid('ProductID'),
    text('ProductSKU', 50),
    text('ProductName', 256),
    text('Unit', 50),
    money('Quantity'),
    money('RunSize'),
    guid('LocationID'),
    text('LocationName', 256),
    guid('WarehouseID'),
    text('WarehouseName', 256),
    day('StartDate'),
    day('ReleaseDate'),
    day('RequiredByDate'),
    day('CompletionDate'),
    text('BOMName', 256),
    integer('BOMVersion'),
    money('BOMQuantity'),
    money('OrderCycleTime'),
    text('CostingMethod', 50),
    text('CapacityCalculationType', 50),
    text('FinishedGoodsAccountCode', 50),
    text('WIPAccountCode', 50),
    text('PlannedBy', 256),
    text('ReleasedBy', 256),
    guid('SourceTaskID'),
    text('SourceTaskNumber', 50),
    text('SourceName', 256),
    text('RetailID', 256),
    // Codes: the reference gives numbers without their meaning.
    text('IssueMethodComponent', 50),
    text('IssueMethodParameter', 50),
    flag('IsIgnoreLeadTime'),
    flag('StartUpdate'),
    text('Comments'),
    text('Tags'),
    ...customFields,
    json('SourceTasks'),
    json('Deliveries'),
  ],
  [operation, component, resource],
)

export const productionStreams: readonly Cin7Stream[] = [
  taskStream('finishedGoods', {
    noun: 'assemblies',
    list: { path: 'finishedGoodsList', rows: 'FinishedGoods', limit: listLimit },
    pathOf: () => 'finishedGoods',
    shape: assembly,
  }),
  taskStream('disassembly', {
    noun: 'disassemblies',
    list: { path: 'disassemblyList', rows: 'Disassemblies', limit: listLimit },
    pathOf: () => 'disassembly',
    shape: disassembly,
  }),
  taskStream('productionOrder', {
    noun: 'production orders',
    // Requires the Advanced Manufacturing module.
    optional: true,
    parameter: 'ProductionOrderID',
    list: {
      path: 'production/orderList',
      rows: 'ProductionOrders',
      alternateRows: 'ProductionOrderList',
      limit: listLimit,
    },
    pathOf: () => 'production/order',
    wrap: 'ProductionOrders',
    shape: productionOrder,
  }),
]
