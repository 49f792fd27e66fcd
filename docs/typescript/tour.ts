// Twelve operations of Parley: a price from the catalog, a scope from a quote, and a webhook.
import { setTimeout as pause } from "node:timers/promises";
import createClient, { type Middleware } from "openapi-fetch";
import type { components, paths } from "./parley.js";

/** Turns an answer that is an error into an exception that says what may be done. */
const raiseProblems: Middleware = {
  async onResponse({ response }) {
    if (response.ok) return;
    const problem: components["schemas"]["Problem"] = await response.json();
    throw new Error(`${problem.status}: ${problem.detail} (request ${problem.trace.requestId})`);
  },
};

const parley = createClient<paths>({
  baseUrl: process.env.PARLEY_URL,
  headers: { Authorization: `Bearer ${process.env.PARLEY_KEY}` },
});
parley.use(raiseProblems);

/** The body of an answer, which every operation below has. */
function bodyOf<Body>(answer: { data?: Body }): Body {
  if (answer.data === undefined) throw new Error("an answer without a body");
  return answer.data;
}

type Product = components["schemas"]["ProductInList"];
type DimensionValue = components["schemas"]["DimensionValue"];

async function findProduct(): Promise<Product> {
  const companies = bodyOf(await parley.GET("/v1/catalog/companies", { params: { query: { limit: 10 } } }));
  for (const { id: companyId } of companies.data) {
    const path = "/v1/catalog/companies/{companyId}/products";
    const products = bodyOf(await parley.GET(path, { params: { path: { companyId } } }));
    const priced = products.data.find((product) => product.isCustomEstimateAvailable);
    if (priced !== undefined) return priced;
  }
  throw new Error("no product can be estimated");
}

/** A value of each dimension: its default, else an option or a number that it allows. How many are bought is never assumed. */
function chooseDimensions(product: Product): DimensionValue[] {
  return product.pricingDimensions.map(({ id, formField: field }): DimensionValue => {
    if (field.type === "select") return { id, value: field.defaultValue ?? field.options[0]?.value ?? "1" };
    if (field.type === "number") return { id, value: field.defaultValue ?? field.min ?? 10 };
    return { id, value: 1 };
  });
}

async function estimatePrice(product: Product): Promise<void> {
  const scope = bodyOf(
    await parley.POST("/v1/scope", {
      body: {
        scopeTerms: [{ termLength: 12, purchaseType: "new_purchase" }],
        productTerms: [{ productId: product.id, pricingDimensions: chooseDimensions(product) }],
      },
    }),
  );
  const params = { path: { scopeId: scope.id } };
  const { estimate, currency } = bodyOf(await parley.GET("/v1/pricing/basic/{scopeId}", { params }));
  const { realSimilarPurchases } = bodyOf(await parley.GET("/v1/pricing/advanced/{scopeId}", { params }));
  console.log(`${product.name}: ${estimate.percentile50} ${currency}, as in ${realSimilarPurchases.length} purchases`);
}

async function readQuote(): Promise<void> {
  const quote = new File(["description,quantity,unit price,amount\nSeats,10,100.00,1000.00\n"], "quote.csv");
  const upload = bodyOf(
    await parley.POST("/v1/files/upload", {
      body: { file: quote },
      bodySerializer: ({ file }) => {
        const form = new FormData();
        form.append("file", file);
        return form;
      },
    }),
  );
  const fileUrl = `/v1/files/${upload.id}`;
  const path = bodyOf(await parley.POST("/v1/scope/from-document", { body: { fileUrl } }));
  for (let status: string | undefined = "pending"; status === "pending" || status === "processing"; ) {
    await pause(200);
    const scope = bodyOf(await parley.GET("/v1/scope/{scopeId}", { params: { path } }));
    status = scope.documentProcessing?.status;
  }
  const reading = bodyOf(await parley.GET("/v1/scope/{scopeId}/document", { params: { path } }));
  console.log(`${reading.filename}: ${reading.lines.length} line`);
}

async function tryWebhook(): Promise<void> {
  const { id: webhookId } = bodyOf(
    await parley.POST("/v1/webhooks", { body: { url: "https://example.com/hook", events: ["scope.extracted"] } }),
  );
  const params = { path: { webhookId } };
  await parley.POST("/v1/webhooks/{webhookId}/test", { params });
  const events = bodyOf(await parley.GET("/v1/webhooks/{webhookId}/events", { params }));
  await parley.DELETE("/v1/webhooks/{webhookId}", { params });
  console.log(`webhook: ${events.length} event`);
}

await estimatePrice(await findProduct());
await readQuote();
await tryWebhook();
await parley.GET("/v1/scope/{scopeId}", { params: { path: { scopeId: "none" } } }).catch(({ message }) => {
  console.log(message);
});
