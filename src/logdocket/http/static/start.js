"use strict";

SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#api",
  deepLinking: true,
  // The default validator badge would call a server on the internet.
  validatorUrl: null,
});
