//! Which store an address means, and which object of it.

use std::sync::Arc;

use object_store::ObjectStore;
use object_store::path::Path;
use url::Url;

use super::StoreOptions;
use crate::error::{Error, Result};

/// The store of an address, and the path of the object in it.
pub(super) fn parse(address: &str, options: &StoreOptions) -> Result<(Arc<dyn ObjectStore>, Path)> {
    let wrong = |why: &dyn std::fmt::Display| Error::store_address(address, why);
    let url = Url::parse(address).map_err(|error| wrong(&error))?;
    if url.query().is_some() {
        return Err(wrong(&"an address with `?` cannot be read in ranges"));
    }
    let path = Path::from_url_path(url.path()).map_err(|error| wrong(&error))?;
    let store = match kind(&url) {
        Some(Kind::File) => {
            let file = url.to_file_path().map_err(|()| wrong(&"it is no path of a file"))?;
            let path = Path::from_absolute_path(file).map_err(|error| wrong(&error))?;
            return Ok((Arc::new(object_store::local::LocalFileSystem::new()), path));
        }
        Some(Kind::Http) => http(&url, options),
        Some(Kind::Aws) => aws(address, options),
        Some(Kind::Gcp) => gcp(address, options),
        Some(Kind::Azure) => azure(address, options),
        None => return Err(wrong(&format!("there is no store for `{}:`", url.scheme()))),
    };
    Ok((store.map_err(|why| wrong(&why))?, path))
}

/// The kinds of stores.
enum Kind {
    File,
    Http,
    Aws,
    Gcp,
    Azure,
}

fn kind(url: &Url) -> Option<Kind> {
    Some(match url.scheme() {
        "file" => Kind::File,
        "http" | "https" => Kind::Http,
        "s3" | "s3a" => Kind::Aws,
        "gs" => Kind::Gcp,
        "az" | "adl" | "azure" | "abfs" | "abfss" => Kind::Azure,
        _ => return None,
    })
}

/// Whether there is a store for an address.
pub(super) fn is_known(address: &str) -> bool {
    Url::parse(address).is_ok_and(|url| kind(&url).is_some())
}

/// A store, or why there is none.
type Made = std::result::Result<Arc<dyn ObjectStore>, String>;

/// How often and how long clients try.
#[cfg(feature = "store-http")]
fn patience(options: &StoreOptions) -> (object_store::RetryConfig, object_store::ClientOptions) {
    let retry = object_store::RetryConfig { max_retries: options.retries, ..Default::default() };
    (retry, object_store::ClientOptions::new().with_timeout(options.timeout))
}

#[cfg(feature = "store-http")]
fn http(url: &Url, options: &StoreOptions) -> Made {
    let (retry, client) = patience(options);
    let server = &url[..url::Position::BeforePath];
    let client = client.with_allow_http(url.scheme() == "http");
    let store = object_store::http::HttpBuilder::new().with_url(server);
    made(store.with_retry(retry).with_client_options(client).build())
}

#[cfg(feature = "store-aws")]
fn aws(address: &str, options: &StoreOptions) -> Made {
    let (retry, client) = patience(options);
    let store = object_store::aws::AmazonS3Builder::from_env().with_url(address);
    made(store.with_retry(retry).with_client_options(client).build())
}

#[cfg(feature = "store-gcp")]
fn gcp(address: &str, options: &StoreOptions) -> Made {
    let (retry, client) = patience(options);
    let store = object_store::gcp::GoogleCloudStorageBuilder::from_env().with_url(address);
    made(store.with_retry(retry).with_client_options(client).build())
}

#[cfg(feature = "store-azure")]
fn azure(address: &str, options: &StoreOptions) -> Made {
    let (retry, client) = patience(options);
    let store = object_store::azure::MicrosoftAzureBuilder::from_env().with_url(address);
    made(store.with_retry(retry).with_client_options(client).build())
}

#[cfg(feature = "store-http")]
fn made<S: ObjectStore>(store: object_store::Result<S>) -> Made {
    store.map(|store| Arc::new(store) as Arc<dyn ObjectStore>).map_err(|error| error.to_string())
}

macro_rules! absent {
    ($($feature:literal $name:ident $from:ty;)*) => {$(
        #[cfg(not(feature = $feature))]
        fn $name(_: $from, _: &StoreOptions) -> Made {
            Err(concat!("this program was built without the feature `", $feature, "`").to_owned())
        }
    )*};
}

absent! {
    "store-http" http &Url;
    "store-aws" aws &str;
    "store-gcp" gcp &str;
    "store-azure" azure &str;
}
