//! Asks for flags through OpenFeature: the arguments are the proxy's address and the API key, each line of stdin a question.

use open_feature::{EvaluationContext, EvaluationError, OpenFeature, StructValue, Value};
use open_feature_ofrep::{OfrepOptions, OfrepProvider};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use serde_json::{Value as Json, json};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mut headers = HeaderMap::new();
    if !args[2].is_empty() {
        let value = HeaderValue::from_str(&format!("Bearer {}", args[2])).unwrap();
        headers.insert(AUTHORIZATION, value);
    }
    let options = OfrepOptions { base_url: args[1].clone(), headers, ..Default::default() };
    let provider = OfrepProvider::new(options).await.unwrap();
    OpenFeature::singleton_mut().await.set_provider(provider).await;
    let client = OpenFeature::singleton().await.create_client();
    for line in std::io::stdin().lines().map(Result::unwrap) {
        let parts: Vec<&str> = line.split('\t').collect();
        let key = parts[1];
        let context = EvaluationContext::default().with_targeting_key("ann").with_custom_field("plan", parts[2]);
        let context = Some(&context);
        let (value, code) = match parts[0] {
            "boolean" => said(client.get_bool_details(key, context, None).await.map(|found| json!(found.value)), json!(false)),
            "text" => said(client.get_string_details(key, context, None).await.map(|found| json!(found.value)), json!("fallback")),
            "integer" => said(client.get_int_details(key, context, None).await.map(|found| json!(found.value)), json!(-1)),
            "float" => said(client.get_float_details(key, context, None).await.map(|found| json!(found.value)), json!(-1.5)),
            _ => said(
                client.get_struct_details::<StructValue>(key, context, None).await.map(|found| plain(&Value::Struct(found.value))),
                json!({ "fallback": true }),
            ),
        };
        println!("{line}\t{value}\t{code}");
    }
}

/// This SDK takes no default: an application gives its own where there is an error.
fn said(found: Result<Json, EvaluationError>, fallback: Json) -> (Json, String) {
    match found {
        Ok(value) => (value, String::new()),
        Err(error) => (fallback, match error.code {
            open_feature::EvaluationErrorCode::General(_) => "GENERAL".to_string(),
            code => code.to_string(),
        }),
    }
}

fn plain(value: &Value) -> Json {
    match value {
        Value::Bool(value) => json!(value),
        Value::Int(value) => json!(value),
        Value::Float(value) => json!(value),
        Value::String(value) => json!(value),
        Value::Array(values) => values.iter().map(plain).collect(),
        Value::Struct(found) => found.fields.iter().map(|(name, value)| (name.clone(), plain(value))).collect(),
    }
}
