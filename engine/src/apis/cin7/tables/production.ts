/** What is put together, taken apart and produced. */
import { childTable, parentTable } from '../../http/documents.ts'
import { day, flag, guid, money, numbered, ordinal, sectionNumber, text, tree, whole } from '../../http/fields.ts'
import { listLimit, tasks, theParts, within, withinEach } from './declare.ts'
import type { Cin7Stream } from './declare.ts'
import { entriesOf, taskId } from './stock.ts'

const product = [guid('ProductID'), text('ProductCode', 50)]
const batch = [text('Bin', 256), guid('BinID'), text('BatchSN', 256), day('ExpiryDate')]
const customFields = numbered('CustomField', 10, text)

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
      within('OrderLines'),
    ),
    childTable(
      'assembly_pick_line',
      [taskId, ordinal, ...product, text('Name', 256), text('Unit', 50), money('Quantity'), money('Cost'), ...batch],
      within('PickLines'),
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
      within('OrderLines'),
    ),
    childTable(
      'disassembly_service_line',
      [taskId, ordinal, guid('ProductID'), text('Name', 256), text('Account', 50), money('Amount'), text('Comments')],
      within('OrderServiceLines'),
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
      within('PickLines'),
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
    whole('Order', { as: 'position' }),
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
    tree('Notes'),
    tree('Attachments'),
    tree('OperationLinks'),
    tree('InputProducts'),
    tree('OutputProducts'),
    tree('FinishedProducts'),
  ],
  theParts('operation', 'Operations'),
)

const costs = [money('Quantity'), money('Cost'), money('TotalCost')]
const component = childTable(
  'production_order_component',
  [
    orderId,
    sectionNumber,
    ordinal,
    guid('OrderComponentID'),
    whole('Position'),
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
    whole('SalePriceTier'),
    money('WastagePercent'),
    money('WastageQty'),
    flag('IsAlternative'),
    flag('IsBackflush'),
  ],
  withinEach('Operations', 'Components'),
)
const resource = childTable(
  'production_order_resource',
  [
    orderId,
    sectionNumber,
    ordinal,
    guid('OrderResourceID'),
    whole('Position'),
    guid('ResourceID'),
    text('ResourceCode', 50),
    text('ResourceName', 256),
    ...costs,
    money('CycleTime'),
    money('ResourceCost'),
    text('CostCalculationType', 50),
  ],
  withinEach('Operations', 'Resources'),
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
    whole('BOMVersion'),
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
    // Codes: the reference gives them as numbers, without their meaning.
    text('IssueMethodComponent', 50),
    text('IssueMethodParameter', 50),
    flag('IsIgnoreLeadTime'),
    flag('StartUpdate'),
    text('Comments'),
    text('Tags'),
    ...customFields,
    tree('SourceTasks'),
    tree('Deliveries'),
  ],
  [operation, component, resource],
)

export const productionStreams: readonly Cin7Stream[] = [
  tasks('finishedGoods', {
    noun: 'assemblies',
    list: { path: 'finishedGoodsList', rows: 'FinishedGoods', limit: listLimit },
    pathOf: () => 'finishedGoods',
    shape: assembly,
  }),
  tasks('disassembly', {
    noun: 'disassemblies',
    list: { path: 'disassemblyList', rows: 'Disassemblies', limit: listLimit },
    pathOf: () => 'disassembly',
    shape: disassembly,
  }),
  tasks('productionOrder', {
    noun: 'production orders',
    // With the module Advanced Manufacturing.
    optional: true,
    parameter: 'ProductionOrderID',
    list: { path: 'production/orderList', rows: 'ProductionOrders', orRows: 'ProductionOrderList', limit: listLimit },
    pathOf: () => 'production/order',
    wrap: 'ProductionOrders',
    shape: productionOrder,
  }),
]
