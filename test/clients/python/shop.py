import os
from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext

headers = {"Authorization": f"Bearer {os.environ['FLAGSTONE_API_KEY']}"}
api.set_provider(OFREPProvider("http://127.0.0.1:8080", headers_factory=lambda: headers))
context = EvaluationContext("ann", {"appVersion": "4.13.0", "postcode": "10115"})
print(str(api.get_client().get_boolean_value("delivery-slots", False, context)).lower())
